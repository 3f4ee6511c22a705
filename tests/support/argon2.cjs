const argon2 = require("../../node_modules/@node-rs/argon2");

const CHEAPEST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

// A full-cost hash takes 80 ms of a processor, and the tests make thousands. A hash records its own cost.
exports.hash = (password) => argon2.hash(password, CHEAPEST);
exports.hashSync = (password) => argon2.hashSync(password, CHEAPEST);
exports.verify = argon2.verify;
