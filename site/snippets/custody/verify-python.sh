curl --fail -O "$SITE/downloads/custody_verify.py"
python3 custody_verify.py proof.json --keys keys.json
