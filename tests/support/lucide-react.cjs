const { createElement } = require("react");

// lucide-react makes all of its 1,700 icons in every test file; here each is an empty svg with the same class.
module.exports = new Proxy(
  { __esModule: true },
  {
    get: (icons, name) => {
      icons[name] ??= iconOf(name.replace(/\B[A-Z]|\d+/g, "-$&").toLowerCase());
      return icons[name];
    },
  },
);

function iconOf(name) {
  return ({ className = "", ...props }) =>
    createElement("svg", { "aria-hidden": "true", ...props, className: `lucide lucide-${name} ${className}` });
}
