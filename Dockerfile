# The service: `docker build -t ginapi .`. compose.yaml runs it on two hosts; alone it keeps what it stores in /data:
# `docker run -p 8000:8000 -v ginapi:/data ginapi`.
FROM python:3.11-slim-bookworm
# pg_dump and pg_restore, of the version of the server in compose.yaml, for `ginapi backup` and `restore`.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client-15 && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/ginapi
COPY . .
RUN pip install --no-cache-dir -c constraints.txt .
RUN useradd --uid 10001 --no-create-home ginapi && install -d -o ginapi /data
ENV GINAPI_DATABASE_URL=sqlite:////data/ginapi.db
USER ginapi
EXPOSE 8000
CMD ["ginapi", "serve"]
