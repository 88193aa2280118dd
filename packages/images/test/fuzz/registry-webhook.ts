/** A webhook of a registry names images, or is refused with an `ImagesError`. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, fieldsOf, mutated } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { ImagesError } from '../../src/images-error.ts';
import { parseImage } from '../../src/reference/image-reference.ts';
import { concerns, eventsOf } from '../../src/webhook/dispatch.ts';
import { webhookKinds } from '../../src/webhook/kinds.ts';

const fields =
  'repository repo_name namespace name push_data tag action package package_type owner login package_version container_metadata updated_tags docker_url event_data resources repo_full_name resource_url digest type target request host specversion source subject data detail repository-name image-tag'.split(
    ' ',
  );
const types = webhookKinds.map(({ type }) => type);
const body = fc.oneof(
  mutated(
    [
      '{"push_data":{"tag":"1.2"},"repository":{"repo_name":"team/web"}}',
      '{"action":"published","package":{"name":"web","package_type":"CONTAINER","owner":{"login":"team"},"package_version":{"container_metadata":{"tag":{"name":"1.2"}}}}}',
      '{"type":"PUSH_ARTIFACT","event_data":{"resources":[{"tag":"1.2","resource_url":"harbor.example.com/team/web:1.2","digest":"sha256:a"}],"repository":{"repo_full_name":"team/web"}}}',
      '{"docker_url":"quay.io/team/web","repository":"team/web","updated_tags":["1.2"]}',
      '{"specversion":"1.0","type":"com.amazon.ecr.push","source":"urn:aws:ecr:eu-west-1:123:repository/web","data":{"repositoryName":"web","imageTag":"1.2"}}',
    ],
    ['"', ':', ',', '{', '}', '[', ']', 'null', '__proto__', '1', '""'],
  ),
  fieldsOf(fields, 5).map((value) => JSON.stringify(value)),
  anyText,
);

export const target = fuzzTarget({
  inputs: fc.record({
    type: fc.oneof(fc.constantFrom(...types), anyText),
    method: fc.constantFrom('POST', 'GET'),
    headers: fc.dictionary(
      fc.constantFrom('x-github-event', 'content-type', 'x-hub-signature-256', 'authorization'),
      fc.oneof(fc.constantFrom('package', 'application/json', 'application/cloudevents+json'), anyText),
    ),
    body,
    secret: fc.constantFrom('', 'secret'),
  }),
  check(input: { type: string; method: string; headers: Record<string, string>; body: string; secret: string }) {
    const registered = webhookKinds.map((kind) => ({ kind, secret: input.secret }));
    const request = {
      method: input.method,
      headers: input.headers,
      query: new URLSearchParams({ type: input.type }),
      body: Buffer.from(input.body),
    };
    for (const event of unlessRefused([ImagesError], () => eventsOf(request, registered)) ?? []) {
      assert.equal(input.secret, '', 'none of these requests knows the secret');
      for (const value of Object.values(event)) assert.equal(typeof value, 'string');
      concerns(event, parseImage('registry.example.com/team/web:1'));
    }
  },
});
