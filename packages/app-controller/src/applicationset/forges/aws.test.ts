import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sign } from '../../aws/signature.ts';
import { awsClient } from './aws.ts';
import type { ForgeRequest } from './forge-http.ts';

test('a request is signed over its headers and body', () => {
  const signed = sign({
    url: 'https://codecommit.eu-west-1.amazonaws.com/',
    service: 'codecommit',
    region: 'eu-west-1',
    headers: { 'content-type': 'application/x-amz-json-1.1' },
    body: '{}',
    credentials: { id: 'AKID', secret: 'secret', session: 'token' },
    now: new Date('2026-01-02T03:04:05Z'),
  });
  assert.equal(signed['x-amz-date'], '20260102T030405Z');
  assert.equal(signed['x-amz-security-token'], 'token');
  assert.match(
    signed['authorization'] ?? '',
    /^AWS4-HMAC-SHA256 Credential=AKID\/20260102\/eu-west-1\/codecommit\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, Signature=[0-9a-f]{64}$/u,
  );
});

test('a role is assumed before the first call, and a refusal has the type of its exception', async () => {
  const sent: ForgeRequest[] = [];
  const answers = [
    {
      status: 200,
      text: '<AccessKeyId>R</AccessKeyId><SecretAccessKey>S</SecretAccessKey><SessionToken>T</SessionToken>',
    },
    { status: 400, text: '{"__type":"x#RepositoryDoesNotExistException","message":"no"}' },
  ];
  const http = {
    send: async (request: ForgeRequest) => {
      sent.push(request);
      return { headers: {}, ...(answers[sent.length - 1] ?? { status: 500, text: '' }) };
    },
    close: async () => {},
  };
  const environment = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'B' };
  const call = await awsClient(http, { region: 'eu-west-1', role: 'arn:aws:iam::1:role/r', environment });
  await assert.rejects(call('codecommit', 'GetRepository', { repositoryName: 'a' }), {
    type: 'RepositoryDoesNotExistException',
  });
  assert.match(sent[0]?.body ?? '', /Action=AssumeRole/u);
  assert.equal(sent[1]?.headers?.['x-amz-security-token'], 'T');
  assert.equal(sent[1]?.headers?.['x-amz-target'], 'CodeCommit_20150413.GetRepository');
});

test('without a region or credentials, the error says what to set', async () => {
  const http = { send: async () => ({ status: 500, headers: {}, text: '' }), close: async () => {} };
  await assert.rejects(awsClient(http, { region: '', role: '', environment: {} }), /AWS_REGION/u);
  await assert.rejects(awsClient(http, { region: 'a', role: '', environment: {} }), /AWS_ACCESS_KEY_ID/u);
});
