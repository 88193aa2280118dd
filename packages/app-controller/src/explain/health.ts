import { healthWord, nameOf, objectText, syncWord } from './application-text.ts';
import { podTrouble } from './pod.ts';
import { type Chapter, conditionsOf, type ExplainInput, type Reason, reason, sentence } from './reason.ts';
import type { TreeNode } from './tree-node.ts';

const rank = ['Unknown', 'Degraded', 'Missing', 'Progressing', 'Suspended'];

export function notHealthy(input: ExplainInput): Chapter | undefined {
  const { application, tree } = input;
  const word = healthWord(application);
  if (word === 'Healthy') return undefined;
  const name = nameOf(application);
  const unwell = tree
    .filter(({ health, status }) => health && health.status !== 'Healthy' && !status?.hook)
    .sort((a, b) => rank.indexOf(a.health?.status ?? 'Unknown') - rank.indexOf(b.health?.status ?? 'Unknown'));
  // Missing objects are explained with the sync status.
  const unhealthy =
    syncWord(application) === 'OutOfSync' ? unwell.filter(({ health }) => health?.status !== 'Missing') : unwell;
  const said = conditionsOf(input, /^NotHealthy$/u);
  if (unhealthy.length === 0 && unwell.length > 0) return undefined;
  const reasons =
    unhealthy.length > 0
      ? unhealthy.slice(0, 5).map((node) => reason(nodeSentence(node), ...unwellBelow(node)))
      : said.map((text) => reason(sentence(text)));
  if (unhealthy.length > 5) reasons.push(reason(`${unhealthy.length - 5} more objects are unhealthy.`));
  if (reasons.length === 0 && word === 'Unknown') return undefined;
  return { title: `Why it is ${word}`, reasons, next: healthAdvice(unhealthy, name, word) };
}

const nodeSentence = ({ id, health }: TreeNode): string =>
  sentence(`${objectText(id)} is ${health?.status}${health?.message ? `: ${health.message}` : ''}`);

/** The unhealthy dependents of an object: the deepest is the cause. */
export function unwellBelow({ children }: TreeNode): Reason[] {
  return children.flatMap((child) => {
    const deeper = unwellBelow(child);
    const pod = child.live?.kind === 'Pod' ? podTrouble(child) : undefined;
    if (pod) return [reason(pod)];
    if (child.health && child.health.status !== 'Healthy') return [reason(nodeSentence(child), ...deeper)];
    return deeper.length > 0 ? [reason(`${objectText(child.id)} has pods that are not ready.`, ...deeper)] : [];
  });
}

function healthAdvice(unwell: readonly TreeNode[], name: string, word: string): string[] {
  const texts = JSON.stringify(unwell.map((node) => unwellBelow(node)));
  if (/ImagePull|ErrImage|InvalidImageName/u.test(texts))
    return ['check that the image and its tag exist and that the node may pull it, then commit the right one'];
  if (/CrashLoop|ended with/u.test(texts))
    return [`read the logs of the container: fairlead app logs ${name} --previous`];
  if (/has no node/u.test(texts))
    return ['add capacity or request less: resources, selectors and taints decide where a pod may run'];
  if (word === 'Progressing') return [`wait: fairlead app wait ${name} --health`];
  if (word === 'Suspended') return ['it is paused: resume it'];
  return [`fairlead app events ${name} --warnings and fairlead app logs ${name} show more`];
}
