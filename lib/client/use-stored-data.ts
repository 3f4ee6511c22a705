"use client";

import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";

/**
 * What the server has when the form that edits it opens. Later reads do not replace what is being edited, and the form keeps
 * it while it closes.
 */
export function useStoredData<T, K extends QueryKey>(options: UseQueryOptions<T, Error, T, K>, isOpen: boolean) {
  const { data, error, isSuccess, isFetching, refetch } = useQuery({ ...options, enabled: isOpen, staleTime: 0 });
  const [stored, setStored] = useState<T>();
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen);
    if (isOpen) setStored(undefined);
  } else if (isOpen && stored === undefined && isSuccess && !isFetching) setStored(data);
  return { stored, error, isFetching, refetch: () => void refetch() };
}
