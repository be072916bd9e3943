// What ipywidgets can't say of its controls to those who hear the page: roles, states, landmarks; and focus stays
// where it was when a control is hidden or can't be pressed for a while. Runs wherever the form is shown; the landmarks
// of a whole page are those of the form in its own page alone.
(() => {
  if (window.discoreportLook) { window.discoreportLook(); return; }
  const isOwnPage = () => !document.querySelector(".jp-NotebookPanel");
  const set = (element, name, value) => {
    if (value === null) { if (element.hasAttribute(name)) element.removeAttribute(name); }
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  const all = (where, selector, tell) => where.querySelectorAll(selector).forEach(tell);
  const words = (element) => (element ? element.textContent.trim() : "");
  const yes = (element, name) => String(element.classList.contains(name));

  const mark = (form) => {
    const own = isOwnPage();
    if (own) set(document.documentElement, "lang", "en");
    else { set(form, "role", "region"); set(form, "aria-label", "Disclosure report"); }
    for (const part of form.children) {
      if (own && part.querySelector("h1")) set(part, "role", "banner");
      else if (!part.matches(".d-steps, .d-panel") && words(part) && !part.querySelector("[popover]")) {
        set(part, "role", "region");
        set(part, "aria-label", words(part.querySelector("h2")) || (part.querySelector(".d-strip") ? "Figures" : "State"));
      }
    }
    all(form, ".d-steps", (one) => { set(one, "role", "navigation"); set(one, "aria-label", "Steps"); });
    all(form, ".d-steps > button", (one) => set(one, "aria-current", one.classList.contains("d-here") ? "step" : null));
    all(form, ".d-panel", (one) => { if (own) set(one, "role", "main"); });
    all(form, ".d-fold", (one) => set(one, "aria-expanded", yes(one, "d-unfolded")));
    all(form, ".widget-toggle-buttons", (one) => {
      set(one, "role", "group");
      set(one, "aria-label", words(one.querySelector(".widget-label")) || null);
      all(one, "button", (button) => set(button, "aria-pressed", yes(button, "mod-active")));
    });
    all(form, ".d-empty", (one) => set(one, "aria-live", "polite"));
    all(form, ".d-card", (card) => {
      const title = words(card.querySelector("h3"));
      if (title) { set(card, "role", "group"); set(card, "aria-label", title); }
    });
    all(form, "[class*='widget-']", (field) => {
      const input = field.querySelector(":scope > input, :scope > select, :scope > textarea");
      const beside = input && field.nextElementSibling;
      if (beside && beside.classList.contains("d-hint")) {
        beside.id ||= "hint-" + (mark.n = (mark.n || 0) + 1);
        set(input, "aria-describedby", beside.id);
        if (words(beside).toLowerCase() === input.title.toLowerCase()) input.removeAttribute("title");
      }
    });
  };

  let last = null;
  const usable = (element) => element && element.isConnected && !element.disabled && element.getClientRects().length;
  document.addEventListener("focusin", (event) => { last = event.target.closest(".discoreport") ? event.target : last; });
  document.addEventListener("pointerdown", (event) => { if (!event.target.closest(".discoreport button")) last = null; });
  const keepFocus = () => {
    if (!last || (document.activeElement && document.activeElement !== document.body)) return;
    if (usable(last)) { last.focus({ preventScroll: true }); return; }
    if (last.isConnected && last.disabled && last.getClientRects().length) return;  // it comes back
    const near = last.parentElement && [...last.parentElement.querySelectorAll("button, input, select, textarea")];
    const next = (near || []).find(usable);
    if (next) next.focus({ preventScroll: true });
  };

  let waits = false;
  const look = () => {
    waits = false;
    all(document, ".discoreport", mark);
    keepFocus();
  };
  const soon = () => { if (!waits) { waits = true; setTimeout(look, 60); } };
  const inForm = ({ target }) => target.nodeType === 1 && (target.closest(".discoreport") || isOwnPage());
  new MutationObserver((changes) => { if (changes.some(inForm)) soon(); }).observe(document.documentElement, {
    subtree: true, childList: true, attributes: true, attributeFilter: ["class", "disabled", "style"],
  });
  window.discoreportLook = soon;
  soon();
})();
