"""The service for any WSGI server; gunicorn.conf.py says how gunicorn serves it."""

from ginapi.api import create_app

app = create_app()
