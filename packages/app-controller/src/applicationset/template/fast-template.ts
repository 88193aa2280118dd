import { goQuote } from '@fairlead/apimachinery';

/** A template that is not closed. */
export class FastTemplateError extends Error {}

const isTemplated = /\{\{.*\}\}/u;

/** Replaces each `{{name}}` by the text that is known by the name. Others are left as they are. */
export function fastTemplate(template: string, textOf: (name: string) => string | undefined): string {
  if (!isTemplated.test(template)) return template;
  let result = '';
  let rest = template;
  for (;;) {
    const start = rest.indexOf('{{');
    if (start < 0) return result + rest;
    const end = rest.indexOf('}}', start + 2);
    if (end < 0) {
      const from = rest.slice(start + 2);
      throw new FastTemplateError(
        `invalid template: Cannot find end tag="}}" in the template=${goQuote(template)} starting from ${goQuote(from)}`,
      );
    }
    const tag = rest.slice(start + 2, end);
    const name = tag.trim();
    result += `${rest.slice(0, start)}${(name === '' ? undefined : textOf(name)) ?? `{{${tag}}}`}`;
    rest = rest.slice(end + 2);
  }
}
