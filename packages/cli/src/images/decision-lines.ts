import type { ImageRule, Selection, Verdict } from '@fairlead/images';
import { tableLines } from '../table.ts';

const few = 40;
const rank = { chosen: 0, kept: 1, dropped: 2 } as const;

/** What a rule makes of the tags of an image, a line each. */
export function verdictLines(selection: Selection, everything: boolean): string[] {
  const verdicts = selection.verdicts().sort((a, b) => rank[a.outcome] - rank[b.outcome] || newestFirst(a, b));
  const shown = everything ? verdicts : verdicts.slice(0, few);
  const lines = tableLines(shown.map(({ tag, outcome, reason }) => [`  ${tag}`, outcome, reason]));
  return verdicts.length > shown.length
    ? [...lines, `  … and ${verdicts.length - shown.length} more: --all-tags shows them`]
    : lines;
}

const newestFirst = (a: Verdict, b: Verdict): number => b.tag.localeCompare(a.tag, 'en', { numeric: true });

export function ruleLine(rule: ImageRule): string {
  const parts = [
    rule.image.tag ? `constraint ${rule.image.tag}` : 'no constraint',
    rule.allowTags ? `allow-tags ${rule.allowTags}` : '',
    rule.ignoreTags.length > 0 ? `ignore-tags ${rule.ignoreTags.join(', ')}` : '',
    rule.platforms.length > 0 ? `platforms ${rule.platforms.join(', ')}` : '',
  ];
  return `strategy ${rule.strategy}, ${parts.filter((part) => part !== '').join(', ')}`;
}
