import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LinkSettings, type MirroredObject, rules } from '@fairlead/agent';
import { runScenario } from '../../scenario.ts';
import { severalAgents } from './several.ts';

test('with two principals, overlapping names and a lying agent, the others agree with the hub', async () => {
  for (let seed = 0; seed < 25; seed++)
    assert.equal((await runScenario(severalAgents(), seed)).error, undefined, `seed ${seed}`);
});

/** Bugs about owners, each of which the scenario finds. */
const mistakes: readonly {
  readonly name: string;
  readonly parts: NonNullable<LinkSettings['parts']>;
  readonly says: RegExp;
}[] = [
  {
    name: 'a link that takes mirrors of other agents over',
    parts: {
      rules: {
        decideUpsert: (side, ...rest) => rules.decideUpsert({ ...side, agentExists: () => false }, ...rest),
        decideDelete: (side, ...rest) => rules.decideDelete({ ...side, agentExists: () => false }, ...rest),
      },
    },
    says: /is deleted while its source lives|no agreement|is not where|never had/u,
  },
  {
    name: 'a link that adopts projects of the hub because the agent asks for it',
    parts: {
      rules: {
        decideUpsert: (side, kind, sent, existing, name) =>
          rules.decideUpsert(side, kind, sent, existing && consenting(existing), name),
      },
    },
    says: /the hub's own project .* was changed/u,
  },
];

const consenting = (existing: MirroredObject): MirroredObject => ({
  ...existing,
  metadata: {
    ...existing.metadata,
    annotations: { ...existing.metadata.annotations, 'argocd.argoproj.io/adoption-policy': 'always' },
  },
});

for (const { name, parts, says } of mistakes) {
  test(`the scenario detects ${name}`, async () => {
    const found: string[] = [];
    for (let seed = 0; seed < 400 && !found.some((error) => says.test(error)); seed++) {
      const { error } = await runScenario(severalAgents({ parts }), seed);
      if (error !== undefined) found.push(String(error));
    }
    assert.ok(
      found.some((error) => says.test(error)),
      `nothing of ${says} in ${found.slice(0, 5).join('\n')}`,
    );
  });
}
