"""The use cases: what may be asked of the service, one function a transaction."""
