import type { Application } from '@fairlead/api';
import { visible } from '../../terminal/style.ts';
import type { TreeNode } from '../cluster/owner-tree.ts';

/** Something that is so, because of what is below it. */
export interface Reason {
  readonly text: string;
  readonly because: readonly Reason[];
}

/** One question with its answer, and what to do about it. */
export interface Chapter {
  readonly title: string;
  readonly reasons: readonly Reason[];
  readonly next: readonly string[];
}

export interface ExplainInput {
  readonly application: Application;
  /** Objects with what they own, as they are now. */
  readonly tree: readonly TreeNode[];
  /** Why the project's windows keep an automated sync, or one by hand, from running. */
  readonly window?: { readonly automated?: string; readonly manual?: string };
  /** Why the project does not permit it, when it does not exist. */
  readonly projectMissing?: boolean;
  /** The namespace is none of those that the controller looks at, and which those are. */
  readonly overlooked?: string;
  readonly now: number;
}

export const reason = (text: string, ...because: Reason[]): Reason => ({ text: visible(text), because });

export const sentence = (text: string): string => (/[.!?:]$/u.test(text) ? text : `${text}.`);

export const conditionsOf = ({ application }: ExplainInput, pattern: RegExp): string[] =>
  (application.status?.conditions ?? []).filter(({ type }) => pattern.test(type)).map(({ message }) => message);
