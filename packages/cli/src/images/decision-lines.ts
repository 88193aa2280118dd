import type { ImageRule, Selection, TagDecision } from '@fairlead/images';
import { tableLines } from '../table.ts';

const few = 40;
const rank = { chosen: 0, kept: 1, dropped: 2 } as const;

/** The decision of a rule about each tag, one line each. */
export function decisionLines(selection: Selection, everything: boolean): string[] {
  const decisions = selection.decisions().sort((a, b) => rank[a.outcome] - rank[b.outcome] || newestFirst(a, b));
  const shown = everything ? decisions : decisions.slice(0, few);
  const lines = tableLines(shown.map(({ tag, outcome, reason }) => [`  ${tag}`, outcome, reason]));
  return decisions.length > shown.length
    ? [...lines, `  … and ${decisions.length - shown.length} more: --all-tags shows them`]
    : lines;
}

const newestFirst = (a: TagDecision, b: TagDecision): number => b.tag.localeCompare(a.tag, 'en', { numeric: true });

export function ruleLine(rule: ImageRule): string {
  const parts = [
    rule.image.tag ? `constraint ${rule.image.tag}` : 'no constraint',
    rule.allowTags ? `allow-tags ${rule.allowTags}` : '',
    rule.ignoreTags.length > 0 ? `ignore-tags ${rule.ignoreTags.join(', ')}` : '',
    rule.platforms.length > 0 ? `platforms ${rule.platforms.join(', ')}` : '',
  ];
  return `strategy ${rule.strategy}, ${parts.filter((part) => part !== '').join(', ')}`;
}
