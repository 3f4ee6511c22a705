/** @jest-environment jsdom */
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type LazyModule, lazyModule, setLoadErrorReporter, useLazyPopup } from "@/lib/utils/lazy-module";

const reported = jest.fn();
setLoadErrorReporter(reported);
beforeEach(() => reported.mockReset());

const ignore = () => undefined;

function Part({ part, open, onClose }: { part: LazyModule<string>; open: boolean; onClose?: () => void }) {
  return <p>{useLazyPopup(part, open, onClose ?? ignore) ?? "nothing"}</p>;
}

it("is not fetched before the user does anything", async () => {
  const load = jest.fn(async () => "the dialog");
  const part = lazyModule(load);
  render(<Part part={part} open={false} />);
  expect(load).not.toHaveBeenCalled();
  await userEvent.keyboard("{Tab}");
  await waitFor(() => expect(part.read()).toBe("the dialog"));
  expect(screen.getByText("nothing")).toBeInTheDocument();
});

it("appears when it opens, is fetched once, and stays while it closes", async () => {
  const load = jest.fn(async () => "the dialog");
  const part = lazyModule(load);
  const { rerender } = render(<Part part={part} open={true} />);
  expect(await screen.findByText("the dialog")).toBeInTheDocument();
  rerender(<Part part={part} open={false} />);
  expect(screen.getByText("the dialog")).toBeInTheDocument();
  expect(load).toHaveBeenCalled();
  const calls = load.mock.calls.length;
  rerender(<Part part={part} open={true} />);
  expect(load).toHaveBeenCalledTimes(calls);
  expect(reported).not.toHaveBeenCalled();
});

it("reports a failed load, and tries again when it is opened again", async () => {
  let isOnline = false;
  const part = lazyModule(async () => {
    if (!isOnline) throw new Error("ChunkLoadError");
    return "the dialog";
  });
  const onClose = jest.fn();
  const { rerender } = render(<Part part={part} open={true} onClose={onClose} />);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(reported).toHaveBeenCalledTimes(1);
  isOnline = true;
  rerender(<Part part={part} open={false} onClose={onClose} />);
  rerender(<Part part={part} open={true} onClose={onClose} />);
  expect(await screen.findByText("the dialog")).toBeInTheDocument();
});
