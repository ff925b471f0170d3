npx --no-install pto certify --forward-to "$RECEIVER_URL" --report certify.json \
  --verify-command "node custody-verify.mjs --keys keys.json"
