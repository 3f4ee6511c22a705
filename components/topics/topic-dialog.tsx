"use client";

import { lazyDialog } from "@/components/shared/lazy-dialog";

export const CreateTopicDialog = lazyDialog(() =>
  import("@/components/topics/topic-form").then((module) => module.CreateTopicForm),
);

export const EditTopicDialog = lazyDialog(() =>
  import("@/components/topics/topic-form").then((module) => module.EditTopicForm),
);
