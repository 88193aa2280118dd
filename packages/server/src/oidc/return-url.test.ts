import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReturnUrl } from './return-url.ts';

const urls = ['https://cd.example.com/argo', 'https://other.example.com'];

test('addresses within those of the server are returned to', () => {
  for (const address of [
    '',
    'https://cd.example.com/argo',
    'https://cd.example.com/argo/',
    'https://cd.example.com/argo/applications?x=https://evil.example.com',
    'https://other.example.com',
    'https://other.example.com/any',
  ]) {
    assert.equal(isReturnUrl(address, urls), true, address);
  }
});

test('all others are not', () => {
  for (const address of [
    'https://evil.example.com',
    'http://cd.example.com/argo',
    'https://cd.example.com:8443/argo',
    'https://cd.example.com/argocd',
    'https://cd.example.com/argo/../admin',
    'https://cd.example.com/',
    'https://cd.example.com@evil.example.com/argo',
    'https://user@cd.example.com/argo',
    '//other.example.com',
    '/applications',
    '\\\\evil.example.com',
    'https:\\\\evil.example.com',
    'javascript:alert(1)//https://other.example.com',
    'https://other.example.com/\r\nset-cookie: a=b',
    'https://other.example.com/%0aset-cookie',
    ' https://other.example.com',
  ]) {
    assert.equal(isReturnUrl(address, urls), false, JSON.stringify(address));
  }
});
