<?php
// WEBHOOK_SECRETS=whsec_… INBOX=inbox php -S 127.0.0.1:8080 receiver.php   (or behind any web server)
// Start it without WEBHOOK_SECRETS to register the endpoint, and with the secret afterwards.
declare(strict_types=1);
require __DIR__ . '/verify.php';
const BODY_MOST_BYTES = 65_536;

function answer(int $status, string $text = ''): void
{
    if ($status >= 400) {
        error_log("rejected with $status: $text");
    }
    http_response_code($status);
    header('Content-Type: text/plain');
    exit($text);
}

if ($_SERVER['REQUEST_METHOD'] === 'GET') {
    $nonce = $_GET['verification'] ?? '';
    answer(200, is_string($nonce) ? $nonce : '');
}
$input = fopen('php://input', 'r');
$rawBody = (string) stream_get_contents($input, BODY_MOST_BYTES + 1); // before anything parses it
if (strlen($rawBody) > BODY_MOST_BYTES) {
    answer(413, 'body too large');
}
$secrets = array_values(array_filter(explode(',', (string) getenv('WEBHOOK_SECRETS')), 'strlen'));
if ($secrets === []) {
    answer(401, 'no secret: set WEBHOOK_SECRETS');
}
try {
    $header = $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? null;
    verifyWebhook($rawBody, $header, $secrets);
} catch (WebhookRefused $refused) {
    answer(401, $refused->getMessage());
}
$delivery = $_SERVER['HTTP_X_SERVICE_DELIVERY'] ?? '';
if (preg_match('/^[0-9a-f-]{36}$/D', $delivery) !== 1) {
    answer(400, 'no delivery id');
}
$inbox = getenv('INBOX') ?: 'inbox';
@mkdir($inbox, recursive: true);
$part = is_dir($inbox) ? (string) @tempnam($inbox, '.') : '';
$kept = $part !== '' && @file_put_contents($part, $rawBody) === strlen($rawBody) && @rename($part, "$inbox/$delivery");
answer($kept ? 204 : 500, $kept ? '' : 'not stored'); // process it from the inbox; after a 500 it is retried
