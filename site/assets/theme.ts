/** Applies the stored color scheme before the page is drawn. */
try {
  const stored = localStorage.getItem('theme');
  if (stored === 'light' || stored === 'dark') document.documentElement.dataset.theme = stored;
} catch {
  // a browser that stores nothing shows the scheme of the system
}
