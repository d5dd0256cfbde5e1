// Starts 'forgemind lsp' for the documents below .forgemind/ and .quaid/.
const { workspace } = require('vscode')
const { LanguageClient, TransportKind } = require('vscode-languageclient/node')

let client

exports.activate = async function () {
  const server = { command: workspace.getConfiguration('forgemind').get('path', 'forgemind'), args: ['lsp'], transport: TransportKind.stdio }
  client = new LanguageClient('forgemind', 'forgemind', server, {
    documentSelector: ['.forgemind', '.quaid'].map((folder) => ({ scheme: 'file', pattern: `**/${folder}/**` })),
  })
  await client.start()
}

exports.deactivate = () => client?.stop()
