"use client";

import type { ComponentProps } from "react";
import { LateDialog } from "@/components/shared/late-dialog";
import type { CreateTopicForm, EditTopicForm } from "@/components/topics/topic-form";
import { late } from "@/lib/utils/late";

const createTopicForm = late(() => import("@/components/topics/topic-form").then((module) => module.CreateTopicForm));

/** Name, description and category of a new topic. */
export function CreateTopicDialog(props: ComponentProps<typeof CreateTopicForm>) {
  return <LateDialog dialog={createTopicForm} {...props} />;
}

const editTopicForm = late(() => import("@/components/topics/topic-form").then((module) => module.EditTopicForm));

/** The same of a topic that is there. */
export function EditTopicDialog(props: ComponentProps<typeof EditTopicForm>) {
  return <LateDialog dialog={editTopicForm} {...props} />;
}
