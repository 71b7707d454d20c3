// Calls a server through @grpc/grpc-js, which learns its services by
// reflection: grpc_js.js ADDRESS. Each line of the input is
// {"service", "rpc", "request"}; its answer is a line of the output.
'use strict';

const path = require('path');
const readline = require('readline');

const modules = path.resolve('build/npm/node_modules');
const grpc = require(path.join(modules, '@grpc/grpc-js'));
const {serviceHelper} =
    require(path.join(modules, 'grpc-js-reflection-client'));

const address = process.argv[2];
const credentials = grpc.ChannelCredentials.createInsecure();
const clients = new Map();

async function clientOf(service) {
  if (!clients.has(service)) {
    clients.set(service, await serviceHelper({
      host: address,
      servicePath: service,
      proto_symbol: service,
      credentials,
      protoLoaderOptions:
          {keepCase: false, enums: String, longs: String, defaults: true},
    }));
  }
  return clients.get(service);
}

async function call({service, rpc, request}) {
  const client = await clientOf(service);
  return new Promise((resolve, reject) => {
    client[rpc](request, (error, answer) => {
      error ? reject(error) : resolve(answer);
    });
  });
}

(async () => {
  for await (const line of readline.createInterface({input: process.stdin})) {
    console.log(JSON.stringify(await call(JSON.parse(line))));
  }
  process.exit(0);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
