import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { generatedClient, generatedFile } from './generated-client.ts';

test('the generated types are those of the OpenAPI document: run npm run generate:client', () => {
  assert.equal(readFileSync(generatedFile, 'utf8'), generatedClient());
});
