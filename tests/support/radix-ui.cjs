// radix-ui's barrel loads all primitives into every test file; here each is loaded when it is first used.
module.exports = new Proxy(
  { __esModule: true },
  {
    get: (loaded, name) => {
      loaded[name] ??= require(`radix-ui/${name.replace(/\B[A-Z]/g, "-$&").toLowerCase()}`);
      return loaded[name];
    },
  },
);
