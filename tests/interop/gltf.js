// Checks .glb files with Khronos' validator: no error and no warning.
// usage: NODE_PATH=… node gltf.js FILE.glb…
const fs = require("fs");
const validator = require("gltf-validator");

async function main() {
  for (const file of process.argv.slice(2)) {
    const bytes = new Uint8Array(fs.readFileSync(file));
    const { issues, info } = await validator.validateBytes(bytes, { maxIssues: 500 });
    if (issues.numErrors > 0 || issues.numWarnings > 0) {
      // Instances are an extension that it does not know, so it takes their accessors for unused.
      const grave = issues.messages.filter((issue) => issue.severity < 2);
      throw new Error(`${file}: ${JSON.stringify(grave.slice(0, 20), null, 1)}`);
    }
    console.log(`${file}: ${info.totalTriangleCount} triangles, ${info.totalVertexCount} vertices`);
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
