import { resolvePlain } from '@fairlead/render/go-yaml';

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/u;
const words = new Set(['yes', 'no', 'on', 'off', 'y', 'n', 'null', '~', 'true', 'false']);

/**
 * Whether a text can be written in YAML without quotes and is read back as the same text by YAML 1.1 and 1.2: not a number (`1.20`, `16`,
 * `0755`), not a keyword (`on`), and without YAML syntax.
 */
export function isPlainScalar(text: string): boolean {
  if (text === '' || /[\n\t]|: | #|^[!&*?|>%@`"'#,[\]{}\s-]|[\s:]$/u.test(text)) return false;
  if (words.has(text.toLowerCase()) || base60.test(text)) return false;
  return resolvePlain(text, 'v2').type === 'str' && resolvePlain(text, 'v3').type === 'str';
}

/** A scalar in the style of the one that it replaces, with quotes if necessary. */
export function scalarText(text: string, style: 'plain' | 'single' | 'double', inFlow = false): string {
  if (style === 'single' && !/[\n\t]/u.test(text)) return `'${text.replaceAll("'", "''")}'`;
  if (style === 'plain' && isPlainScalar(text) && !(inFlow && /[,[\]{}]/u.test(text))) return text;
  return JSON.stringify(text);
}
