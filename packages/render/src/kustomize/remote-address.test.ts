import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRemoteFile, parseRemote } from './remote-address.ts';

const repositories: [address: string, repository: string, path: string][] = [
  ['https://host/org/repo//dir?ref=v1', 'https://host/org/repo?ref=v1', 'dir'],
  ['https://host/a/b/c/repo.git/dir/sub', 'https://host/a/b/c/repo.git', 'dir/sub'],
  ['https://host/org/repo/dir?ref=v1&timeout=9s', 'https://host/org/repo?ref=v1', 'dir'],
  ['https://host/org/repo?version=v2', 'https://host/org/repo?ref=v2', ''],
  ['git::https://host/org/repo', 'https://host/org/repo', ''],
  ['git@host:org/repo.git//dir', 'git@host:org/repo.git', 'dir'],
  ['git@host:org/repo/dir?ref=x', 'git@host:org/repo?ref=x', 'dir'],
  ['ssh://git@host:22/org/repo.git?ref=x', 'ssh://git@host:22/org/repo.git?ref=x', ''],
  ['ssh://git@host/org/repo/dir', 'ssh://git@host/org/repo', 'dir'],
  ['github.com/org/repo/dir?ref=v1', 'https://github.com/org/repo?ref=v1', 'dir'],
  ['gh:org/repo/dir', 'https://github.com/org/repo', 'dir'],
  ['https://user@dev.azure.com/org/project/_git/repo/dir', 'https://user@dev.azure.com/org/project/_git/repo', 'dir'],
  ['https://dev.azure.com/org/project/_git/repo', 'https://dev.azure.com/org/project/_git/repo', ''],
];
for (const [address, repository, path] of repositories)
  test(`${address} is a folder of a repository`, () => assert.deepEqual(parseRemote(address), { repository, path }));

for (const path of ['base', '../base', 'a.yaml', './github/x', 'https://host/org', 'https://host'])
  test(`${path} is not a repository`, () => assert.equal(parseRemote(path), undefined));

const files: [address: string, isFile: boolean][] = [
  ['https://host/org/repo/releases/download/v1/install.yaml', true],
  ['https://raw.githubusercontent.com/org/repo/v1/a.yaml', true],
  ['https://host/a/b/c.json?token=x', true],
  ['https://github.com/org/repo/releases/download/v1/install.yaml', true],
  ['https://host/a/b/manifest', true],
  ['https://github.com/org/repo/dir', false],
  ['https://github.com/org/repo', false],
  ['https://host/org/repo?ref=v1', false],
  ['https://host/org/repo//dir', false],
  ['https://host/org/repo.git/dir', false],
  ['https://dev.azure.com/org/project/_git/repo', false],
  ['ssh://host/org/repo', false],
  ['a.yaml', false],
];
for (const [address, isFile] of files)
  test(`${address} is ${isFile ? 'fetched as a file' : 'not fetched as a file'}`, () =>
    assert.equal(isRemoteFile(address), isFile));
