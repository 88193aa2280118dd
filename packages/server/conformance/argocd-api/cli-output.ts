/** Output as the recordings have it: width of columns, progress and help texts depend on the run or the version. */
export function normalizeOutput(text: string, folders: Readonly<Record<string, string>>): string {
  let named = text;
  for (const [name, path] of Object.entries(folders)) named = named.replaceAll(path, `<${name}>`);
  return named
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.replaceAll('\t', '  ').replace(/ {2,}/gu, '  ').trimEnd())
    .join('\n')
    .replace(/(?:^\d{4}-\d\d-\d\dT.*\n?)+/gmu, '<progress>\n')
    .replace(/^Usage:[\s\S]*$/mu, '<usage>\n');
}
