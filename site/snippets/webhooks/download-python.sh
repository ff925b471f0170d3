curl --fail -O "$SITE/downloads/receiver.py" -O "$SITE/downloads/webhook_verify.py"
