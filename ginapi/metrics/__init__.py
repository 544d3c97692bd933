"""What is counted for whoever watches the service, and the folder in which several workers count together."""
