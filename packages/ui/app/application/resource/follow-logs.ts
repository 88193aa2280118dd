import { at, textAt } from '@fairlead/apimachinery/json-at';
import { applicationPath, streamUrl } from '../../api/argocd.ts';
import { client } from '../../api/client.ts';
import type { AppRef } from '../queries.ts';
import type { TreeItem } from '../tree/tree-model.ts';

export interface LogLine {
  readonly id: number;
  readonly time: string;
  readonly pod: string;
  readonly text: string;
}

export interface LogOptions {
  readonly container?: string;
  readonly previous: boolean;
  readonly signal: AbortSignal;
}

const tailLines = 500;
let lastId = 0;

/** Lines of the log as they come, in batches. */
export async function* followLogs(
  app: AppRef,
  item: TreeItem,
  options: LogOptions,
): AsyncGenerator<readonly LogLine[]> {
  const { container, previous, signal } = options;
  const isPod = item.kind === 'Pod';
  const url = streamUrl(applicationPath(app.name, isPod ? `pods/${encodeURIComponent(item.name)}/logs` : 'logs'), {
    appNamespace: app.namespace,
    namespace: item.namespace,
    ...(isPod ? {} : { kind: item.kind, group: item.group, resourceName: item.name }),
    ...(container ? { container } : {}),
    tailLines,
    follow: !previous,
    ...(previous ? { previous } : {}),
  });
  const response = await client.send(url, { signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop() ?? '';
    const lines = parts.flatMap(lineOf);
    if (lines.length > 0) yield lines;
  }
}

function lineOf(text: string): readonly LogLine[] {
  const json = text.startsWith('data: ') ? text.slice(6) : text;
  if (json.trim() === '') return [];
  const message: unknown = JSON.parse(json);
  const error = textAt(message, 'error', 'message');
  if (error !== '') throw new Error(error);
  if (at(message, 'result', 'last') === true) return [];
  return [
    {
      id: (lastId += 1),
      time: textAt(message, 'result', 'timeStampStr'),
      pod: textAt(message, 'result', 'podName'),
      text: textAt(message, 'result', 'content'),
    },
  ];
}
