/*
 * Runs before anything is drawn. What the server has drawn is as most visitors see it: in the theme of their system, in dollars, with
 * cards. This sets the theme, and hides what would look different, until the page's code draws it.
 */
(() => {
  const { dataset, lang } = document.documentElement;
  const stored = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const theme = stored("theme");
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  const language = lang.split("-")[0];
  const isOther =
    stored("currency") === "bnb" ||
    stored("list-view") === "table" ||
    (stored("language") ?? language) !== language;
  if (isOther) dataset.view = "own";
})();
