import { isObject, messageOf } from '@fairlead/apimachinery';
import type { GoMap } from '@fairlead/render/go-template';
import { DecodeError, text } from '../config/decode.ts';
import { textCompiler } from './compile-text.ts';
import { emptyNotification, type Notification } from './notification.ts';
import { partCompilers } from './parts.ts';

/** Adds what a template says to a notification. */
export type Template = (notification: Notification, variables: GoMap) => void;

/** Reads and parses a template. Throws DecodeError or TemplateParseError. */
export function compileTemplate(name: string, raw: unknown, now: () => number): Template {
  const given = raw ?? {};
  if (!isObject(given)) throw new DecodeError('the template must be a map');
  const compile = textCompiler(name, now);
  const message = compile(text(given.message, 'message'));
  const parts = Object.entries(partCompilers).flatMap(([key, compilePart]) =>
    given[key] === undefined || given[key] === null ? [] : [compilePart(given[key], compile, name)],
  );
  return (notification, variables) => {
    notification.message = message(variables) || notification.message;
    for (const apply of parts) apply(notification, variables);
  };
}

/** A template, or why it cannot be used. */
export type TemplateEntry = { readonly template: Template } | { readonly problem: string };

/** Renders templates one over the other. Throws if one of them does not exist, is invalid or fails. */
export function renderNotification(
  templates: ReadonlyMap<string, TemplateEntry>,
  names: readonly string[],
  variables: GoMap,
): Notification {
  const notification = emptyNotification();
  for (const name of names) {
    const entry = templates.get(name);
    if (!entry) throw new Error(`template '${name}' is not supported`);
    if ('problem' in entry) throw new Error(`template ${name} is invalid: ${entry.problem}`);
    entry.template(notification, variables);
  }
  return notification;
}

/** Like `compileTemplate`, with the problem as a value. */
export function templateEntry(name: string, raw: unknown, now: () => number): TemplateEntry {
  try {
    return { template: compileTemplate(name, raw, now) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
