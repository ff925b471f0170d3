const response = await fetch(`${process.env.API}/orders/${process.env.ORDER_ID}/cancel`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${process.env.KEY}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ reason: 'The donor was not available.' }),
});
const body = await response.json();
if (response.ok) console.log(body.status);
else if ('detail' in body) for (const { loc, msg } of body.detail) console.log(loc.join('.'), msg);
else if (body.error.code === 'CANCEL_NOT_ALLOWED') console.log('not possible:', body.error.details);
else console.log(body.error.code, body.error.message, response.headers.get('X-Request-Id'));
