// Server actions run on the server. A unit test that calls one mocks it itself.
jest.mock("@/lib/features/account/google/actions", () => ({}));
jest.mock("@/lib/features/account/reset/actions", () => ({}));
jest.mock("@/lib/features/sites/actions", () => ({}));
jest.mock("@/lib/features/account/sign-in/actions", () => ({}));
jest.mock("@/lib/features/projects/actions", () => ({}));

export {};
