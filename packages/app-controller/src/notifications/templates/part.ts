import type { GoMap } from '@fairlead/render/go-template';
import type { CompileText } from './compile-text.ts';
import type { Notification } from './notification.ts';

/** Adds what a template says for one service to a notification. */
export type ApplyPart = (notification: Notification, variables: GoMap) => void;
/** Reads and parses one part of a template. */
export type CompilePart = (raw: unknown, compile: CompileText, templateName: string) => ApplyPart;
