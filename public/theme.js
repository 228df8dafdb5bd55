// Sets the chosen theme before the first paint. Nothing chosen: the style sheet follows the system.
try {
  const theme = localStorage.getItem("headroom.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to this page: the system's theme it is.
}
