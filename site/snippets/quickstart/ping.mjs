const response = await fetch(`${process.env.API}/ping`, {
  headers: { Authorization: `Bearer ${process.env.KEY}` },
});
console.log(response.status, await response.json());
