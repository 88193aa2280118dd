import { nameOf, objectText } from './application-text.ts';
import { type Chapter, conditionsOf, type ExplainInput, reason } from './reason.ts';

export function deletion(input: ExplainInput): Chapter {
  const { application, tree } = input;
  const troubles = conditionsOf(input, /^DeletionError$/u);
  const held = tree.flatMap(({ id, live }) => {
    if (!live) return [];
    const { finalizers = [], deletionTimestamp } = live.metadata;
    if (deletionTimestamp && finalizers.length > 0)
      return [reason(`${objectText(id)} waits for its finalizers ${finalizers.join(', ')}.`)];
    return [reason(`${objectText(id)} still exists.`)];
  });
  const own = application.metadata.finalizers ?? [];
  return {
    title: 'Why it still exists',
    reasons: [
      ...troubles.map((text) => reason(text)),
      ...(held.length > 0
        ? held
        : troubles.length > 0
          ? []
          : [reason(`It waits for its finalizers ${own.join(', ') || '(none)'}.`)]),
    ],
    next:
      held.length > 0 && held.some(({ text }) => text.includes('finalizers'))
        ? ['the controller that set the finalizer must remove it: check that it runs']
        : [`wait: fairlead app wait ${nameOf(application)} --delete`],
  };
}
