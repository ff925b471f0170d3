curl --fail -O "$SITE/downloads/receiver.php" -O "$SITE/downloads/verify.php"
