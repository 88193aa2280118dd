/**
 * What Argo CD's notifications controller sends, when, and what it remembers: `DIR/*.json`, each a list of cases recorded from the real
 * controller. The product runs them: expressions and templates in this process, live cases with the real controller on an embedded control
 * plane with receivers on loopback.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isObject, type JsonObject, messageOf, textAt } from '@fairlead/apimachinery';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { cliDifferences } from './notifications/cli-case.ts';
import { configDifferences, expressionDifferences, templateDifferences } from './notifications/evaluation-cases.ts';
import { runLiveCase } from './notifications/live-case.ts';
import { liveDifferences } from './notifications/live-compare.ts';
import { type LiveInstallation, openInstallation } from './notifications/live-installation.ts';

type Compare = (one: JsonObject) => string[] | Promise<string[]>;

const byFile: Readonly<Record<string, Compare>> = {
  expressions: expressionDifferences,
  'once-per': expressionDifferences,
  'template-functions': templateDifferences,
  'template-services': templateDifferences,
  config: configDifferences,
  cli: cliDifferences,
};

/** Opens the installation of live cases when the first of them comes. */
function liveCases(dir: string) {
  let opened: Promise<LiveInstallation> | undefined;
  const open = (): Promise<LiveInstallation> => {
    const common: unknown = JSON.parse(readFileSync(`${dir}/receivers.json`, 'utf8'));
    return openInstallation(Array.isArray(common) ? common.filter(isObject) : []);
  };
  return {
    async differences(one: JsonObject): Promise<string[]> {
      const installation = await (opened ??= open());
      return liveDifferences(one, await runLiveCase(one, installation));
    },
    async close(): Promise<void> {
      await (await opened)?.close();
    },
  };
}

export async function* suite({ dir, only, every = 1 }: SuiteOptions): AsyncIterable<CaseResult> {
  const live = liveCases(dir);
  let index = 0;
  for (const file of globSync(`${dir}/*.json`).sort()) {
    const group = basename(file, '.json');
    if (group === 'receivers') continue;
    const cases: unknown = JSON.parse(readFileSync(file, 'utf8'));
    for (const one of Array.isArray(cases) ? cases.filter(isObject) : []) {
      const name = textAt(one, 'name');
      if (index++ % every !== 0 || (only && !`${group}/${name}`.includes(only))) continue;
      const lines = await Promise.resolve((byFile[group] ?? live.differences)(one)).catch((error: unknown) => [
        messageOf(error),
      ]);
      yield { group, name, passed: lines.length === 0, ...(lines.length > 0 ? { detail: lines.join('\n') } : {}) };
    }
  }
  await live.close();
}
