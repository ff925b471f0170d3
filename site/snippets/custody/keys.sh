curl --fail-with-body -o keys.json "$SITE/custody/keys.json"
