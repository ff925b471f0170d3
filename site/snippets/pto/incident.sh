npx --no-install pto trigger order.incident_reported --note 'The box was dropped.'
