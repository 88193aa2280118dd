import type { ApiError } from '@fairlead/apimachinery';

/** Values up to this length are shown: they help to find the field. */
const shortValue = 60;
const mostProblems = 5;
const longest = 600;

/** What the API refused, as field and reason. A whole object that the message repeats is left out. */
export function briefMessage({ message, status }: ApiError): string {
  const causes = (status.details?.causes ?? []).map(({ field = '', message: reason = '' }) => {
    const brief = withoutValues(reason);
    return field === '' || brief.startsWith(`${field}:`) ? brief : `${field}: ${brief}`;
  });
  const problems = [...new Set(causes)].filter((one) => one !== '');
  if (problems.length === 0) return cut(withoutValues(message));
  const more = problems.length - mostProblems;
  return cut(`${problems.slice(0, mostProblems).join('; ')}${more > 0 ? `; and ${more} more` : ''}`);
}

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** `Invalid value: {…}: reason` without the value, if it is long. */
function withoutValues(text: string): string {
  const mark = 'Invalid value: ';
  const at = text.indexOf(mark);
  if (at < 0) return text;
  const start = at + mark.length;
  const end = valueEnd(text, start);
  if (end - start <= shortValue) return text.slice(0, end) + withoutValues(text.slice(end));
  return `${text.slice(0, start)}…${withoutValues(text.slice(end))}`;
}

/** The end of the JSON value that begins at a position, or of the text up to the next colon. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (isQuoted) {
      if (char === '\\') at += 1;
      else if (char === '"') isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    else if (char === ':' && depth === 0) return at;
  }
  return text.length;
}
