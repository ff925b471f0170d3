curl --fail -O "$SITE/downloads/receiver.py" -O "$SITE/downloads/verify.py"
