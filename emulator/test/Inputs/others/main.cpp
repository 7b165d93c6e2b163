// A host program that counts what it has done in a message of protobuf's.
#include <tt-metalium/distributed.hpp>

#include <google/protobuf/wrappers.pb.h>

#include <cstdio>

int main() {
  auto device = tt::tt_metal::distributed::MeshDevice::create_unit_mesh(0);
  google::protobuf::UInt32Value sent, received;
  sent.set_value(device->num_devices() + 41);
  received.ParseFromString(sent.SerializeAsString());
  std::printf("the message says %u\n", received.value());
  device->close();
}
