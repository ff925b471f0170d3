curl --fail -O "$SITE/downloads/receiver.mjs"
