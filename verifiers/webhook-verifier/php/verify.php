<?php
/**
 * Verifies a webhook of Partner Transport Orders. PHP 8.0 or newer, no extension beyond its core,
 * hash and json: copy it.
 *
 *     $event = verifyWebhook(
 *         file_get_contents('php://input'), $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? null, [$secret]);
 */
declare(strict_types=1);

/**
 * Do not believe it: answer 401. The message is one of: no_header, malformed_header, no_v1,
 * no_signature_matches, stale, from_the_future, not_an_event.
 */
final class WebhookRefused extends RuntimeException
{
}

/**
 * The event, its JSON objects as objects.
 *
 * @param string $rawBody the bytes that came, before anything parsed them
 * @param string[] $secrets the endpoint's; two while one is being replaced
 * @param int|null $now Unix seconds
 * @throws WebhookRefused
 * @throws InvalidArgumentException where the call itself is wrong
 */
function verifyWebhook(
    string $rawBody,
    ?string $header,
    array $secrets,
    ?int $now = null,
    int $toleranceSeconds = 300
): object {
    if ($secrets === [] || $secrets !== array_filter($secrets, fn ($s) => is_string($s) && $s !== '')) {
        throw new InvalidArgumentException('secrets: expected whsec_...; is the setting missing?');
    }
    if ($header === null || $header === '') {
        throw new WebhookRefused('no_header');
    }
    [$t, $signatures] = readWebhookHeader($header);
    if ($signatures === []) {
        throw new WebhookRefused('no_v1');
    }
    $matches = false;
    foreach ($secrets as $secret) {
        $expected = hash_hmac('sha256', $t . '.' . $rawBody, $secret);
        foreach ($signatures as $signature) {
            $matches = hash_equals($expected, $signature) || $matches;
        }
    }
    if (!$matches) {
        throw new WebhookRefused('no_signature_matches');
    }
    $age = ($now ?? time()) - (int) $t;
    if (abs($age) > $toleranceSeconds) {
        throw new WebhookRefused($age > 0 ? 'stale' : 'from_the_future');
    }
    return readWebhookEvent($rawBody);
}

/** @return array{string, string[]} t as it was written, and each v1 */
function readWebhookHeader(string $header): array
{
    $found = ['t' => [], 'v1' => []];
    $good = strlen($header) <= 4096;
    foreach (explode(',', $header) as $part) {
        $good = preg_match('/^([a-z0-9_]+)=([!-~]*)$/D', $part, $of) === 1 && $good;
        if ($good && isset($found[$of[1]])) {
            $found[$of[1]][] = $of[2];
        }
    }
    foreach ($found['v1'] as $signature) {
        $good = preg_match('/^[0-9a-f]{64}$/D', $signature) === 1 && $good;
    }
    $good = $good && count($found['t']) === 1 && count($found['v1']) <= 16
        && preg_match('/^(0|[1-9][0-9]{0,11})$/D', $found['t'][0]) === 1;
    if (!$good) {
        throw new WebhookRefused('malformed_header');
    }
    return [$found['t'][0], $found['v1']];
}

function readWebhookEvent(string $rawBody): object
{
    $known = '/^order\.(submitted|assigned|accepted|driver_assigned|pickup_started|sealed|in_transit'
        . '|delivered|closed|cancelled|updated|incident_reported|escalated|test)$/D';
    $event = json_decode($rawBody);
    $good = is_object($event) && is_string($event->event ?? null) && is_string($event->occurred_at ?? null);
    if ($good && preg_match($known, $event->event) === 1) {
        $order = $event->data->order ?? null;
        $good = is_object($order) && is_string($order->id ?? null) && is_string($order->status ?? null)
            && property_exists($order, 'external_id')
            && (is_string($order->external_id) || $order->external_id === null)
            && is_string($event->links->order ?? null);
    }
    if (!$good) {
        throw new WebhookRefused('not_an_event');
    }
    return $event;
}
