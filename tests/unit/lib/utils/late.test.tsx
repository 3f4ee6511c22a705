/** @jest-environment jsdom */
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type Late, late, useLate, whenNotLoaded } from "@/lib/utils/late";

const told = jest.fn();
whenNotLoaded(told);
beforeEach(() => told.mockReset());

function Part({ part, open, onFailure }: { part: Late<string>; open: boolean; onFailure?: () => void }) {
  return <p>{useLate(part, open, onFailure) ?? "nothing"}</p>;
}

it("is not fetched before the person does anything", async () => {
  const load = jest.fn(async () => "the dialog");
  const part = late(load);
  render(<Part part={part} open={false} />);
  expect(load).not.toHaveBeenCalled();
  await userEvent.keyboard("{Tab}");
  await waitFor(() => expect(part.read()).toBe("the dialog"));
  expect(screen.getByText("nothing")).toBeInTheDocument();
});

it("is there when it is wanted, is fetched once, and stays for its closing", async () => {
  const load = jest.fn(async () => "the dialog");
  const part = late(load);
  const { rerender } = render(<Part part={part} open={true} />);
  expect(await screen.findByText("the dialog")).toBeInTheDocument();
  rerender(<Part part={part} open={false} />);
  expect(screen.getByText("the dialog")).toBeInTheDocument();
  expect(load).toHaveBeenCalled();
  const calls = load.mock.calls.length;
  rerender(<Part part={part} open={true} />);
  expect(load).toHaveBeenCalledTimes(calls);
  expect(told).not.toHaveBeenCalled();
});

it("tells when it does not come, and is asked for again at the next wish", async () => {
  let isOnline = false;
  const part = late(async () => {
    if (!isOnline) throw new Error("ChunkLoadError");
    return "the dialog";
  });
  const onFailure = jest.fn();
  const { rerender } = render(<Part part={part} open={true} onFailure={onFailure} />);
  await waitFor(() => expect(onFailure).toHaveBeenCalledTimes(1));
  expect(told).toHaveBeenCalledTimes(1);
  isOnline = true;
  rerender(<Part part={part} open={false} onFailure={onFailure} />);
  rerender(<Part part={part} open={true} onFailure={onFailure} />);
  expect(await screen.findByText("the dialog")).toBeInTheDocument();
});
