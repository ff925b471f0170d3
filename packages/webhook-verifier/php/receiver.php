<?php
// WEBHOOK_SECRETS=whsec_… INBOX=inbox php -S 127.0.0.1:8080 receiver.php   (or behind any web server)
declare(strict_types=1);
require __DIR__ . '/verify.php';
const BODY_MOST_BYTES = 65_536;

function answer(int $status, string $text = ''): void
{
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
    answer(413);
}
try {
    $header = $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? null;
    verifyWebhook($rawBody, $header, explode(',', (string) getenv('WEBHOOK_SECRETS')));
} catch (WebhookRefused $refused) {
    answer(401, $refused->getMessage());
}
$delivery = $_SERVER['HTTP_X_SERVICE_DELIVERY'] ?? '';
if (preg_match('/^[0-9a-f-]{36}$/D', $delivery) !== 1) {
    answer(400, 'no delivery id');
}
$inbox = getenv('INBOX') ?: 'inbox';
$part = (string) @tempnam($inbox, '.');
$kept = @file_put_contents($part, $rawBody) === strlen($rawBody) && @rename($part, "$inbox/$delivery");
answer($kept ? 204 : 500); // kept, whole: work on it from the inbox, not here; if not, it comes again
