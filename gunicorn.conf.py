from ginapi.gunicorn_settings import *
