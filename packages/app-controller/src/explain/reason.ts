import type { Application } from '@fairlead/api';
import { visible } from './application-text.ts';
import type { TreeNode } from './tree-node.ts';

/** A fact and the facts that cause it. */
export interface Reason {
  readonly text: string;
  readonly because: readonly Reason[];
}

/** One problem with its reasons, and what to do about it. */
export interface Chapter {
  readonly title: string;
  readonly reasons: readonly Reason[];
  readonly next: readonly string[];
}

export interface ExplainInput {
  readonly application: Application;
  /** Objects with their dependents. */
  readonly tree: readonly TreeNode[];
  /** Why a sync window blocks an automated or a manual sync. */
  readonly window?: { readonly automated?: string; readonly manual?: string };
  /** Set if the project does not exist. */
  readonly projectMissing?: boolean;
  /** The watched namespaces, if the Application is in none of them. */
  readonly overlooked?: string;
  readonly now: number;
}

export const reason = (text: string, ...because: Reason[]): Reason => ({ text: visible(text), because });

export const sentence = (text: string): string => (/[.!?:]$/u.test(text) ? text : `${text}.`);

export const conditionsOf = ({ application }: ExplainInput, pattern: RegExp): string[] =>
  (application.status?.conditions ?? []).filter(({ type }) => pattern.test(type)).map(({ message }) => message);
