curl --fail -O "$SITE/downloads/custody-verify.mjs"
node custody-verify.mjs proof.json --keys keys.json
