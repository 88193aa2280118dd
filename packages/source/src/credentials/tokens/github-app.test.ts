import assert from 'node:assert/strict';
import { test } from 'node:test';
import { githubApiUrl } from './github-app.ts';

test('the API of a GitHub server is below its address', () => {
  assert.equal(githubApiUrl(''), 'https://api.github.com');
  assert.equal(githubApiUrl('https://git.example.com/'), 'https://git.example.com/api/v3');
  assert.equal(githubApiUrl('https://git.example.com/api/v3/'), 'https://git.example.com/api/v3');
  assert.equal(githubApiUrl('https://api.git.example.com'), 'https://api.git.example.com');
});
