<?php
/** Judges the vectors on its input; answers [[valid, event or reason or fault], …]. */
declare(strict_types=1);
require __DIR__ . '/../php/verify.php';

$judged = [];
foreach (json_decode(stream_get_contents(STDIN), false, 512, JSON_THROW_ON_ERROR) as $call) {
    try {
        $body = base64_decode($call->body, true);
        $judged[] = [true, verifyWebhook($body, $call->header, $call->secrets, $call->now)->event];
    } catch (WebhookRefused $refused) {
        $judged[] = [false, $refused->getMessage()];
    } catch (InvalidArgumentException $wrong) {
        $judged[] = [false, $wrong->getMessage()];
    }
}
echo json_encode($judged, JSON_THROW_ON_ERROR);
